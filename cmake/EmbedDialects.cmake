# Puts every dialects/*.yaml into the program as text: one generated source with
# a table of (file name, content). Works with any compiler (#embed does not yet).

function(firstword_embed_dialects target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dialects/*.yaml)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_dialects.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} "-DFILES=${files}"
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    COMMENT "Embedding dialects"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
