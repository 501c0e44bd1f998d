# Script mode: writes OUTPUT, a C++ source with FILES as raw string literals.

set(text "#include \"dialect/embedded.h\"\n\nnamespace firstword::dialect {\nnamespace {\n\n")
string(APPEND text "constexpr EmbeddedFile kFiles[] = {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "    {\"${name}\", R\"firstword_yaml(${content})firstword_yaml\"},\n")
endforeach()
string(APPEND text "};\n\n}  // namespace\n\n")
string(APPEND text "std::span<const EmbeddedFile> EmbeddedDialects() { return kFiles; }\n\n")
string(APPEND text "}  // namespace firstword::dialect\n")
file(WRITE ${OUTPUT} "${text}")
