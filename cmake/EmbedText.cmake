# Script mode: writes OUTPUT, a C++ source with FILES as raw string literals.

set(text "#include \"${HEADER}\"\n\nnamespace firstword::${NAMESPACE} {\nnamespace {\n\n")
string(APPEND text "constexpr yaml::EmbeddedFile kFiles[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"firstword_yaml(${content})firstword_yaml\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const yaml::EmbeddedFile> ${FUNCTION}() { return kFiles; }\n\n")
string(APPEND text "}  // namespace firstword::${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${text}")
