# Puts every FOLDER/*.yaml into the program as text: one generated source with a table of
# (file name, content) behind the function that HEADER declares. Works with any compiler
# (#embed does not yet).
#
#   firstword_embed_yaml(TARGET FOLDER HEADER NAMESPACE FUNCTION)

function(firstword_embed_yaml target folder header namespace function)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.yaml)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${folder}.cc)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${header} -DNAMESPACE=${namespace}
            -DFUNCTION=${function} "-DFILES=${files}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    COMMENT "Embedding ${folder}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
